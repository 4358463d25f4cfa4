// Images are not processed here. Loading this is harmless; calling it is a mistake that should be seen.
module.exports = function sharp() {
  throw new Error("sharp is stubbed out: ctxrepo embeds text only");
};
