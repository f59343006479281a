throw new Error('no shop today');
