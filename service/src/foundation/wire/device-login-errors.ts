/** The OAuth errors of the device login (RFC 8628), as part of the error catalog. */
export const deviceLoginErrors = {
  authorization_pending: {
    status: 400,
    detail: "The device has not been approved yet.",
    why: "The user has not entered the code yet, or not approved it.",
    next: "Poll again after the interval.",
    oauth: true,
  },
  slow_down: {
    status: 400,
    title: "Polling too often",
    detail: "The device polls too often.",
    why: "The request came before the interval had passed.",
    next: "Add five seconds to the interval.",
    oauth: true,
  },
  access_denied: {
    status: 400,
    detail: "The device was denied, or its key was revoked before the device received it.",
    why: "The user denied the device, or revoked its key.",
    next: "Start the device login again if the user wants it.",
    oauth: true,
  },
  expired_token: {
    status: 400,
    title: "Code expired",
    detail: "The device code has expired.",
    why: "The user did not approve the device in time.",
    next: "Start the device login again.",
    oauth: true,
  },
  invalid_grant: {
    status: 400,
    title: "Invalid code",
    detail: "The device code is unknown, or its key pair has already been returned.",
    why: "A device code returns its key pair once, so that no copy of the code can get it.",
    next: "Start the device login again.",
    oauth: true,
  },
} as const;
