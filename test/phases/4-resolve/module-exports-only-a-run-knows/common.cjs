exports.x = () => 1;
