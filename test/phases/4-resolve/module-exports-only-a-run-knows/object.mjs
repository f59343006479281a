export default { x() {} };
