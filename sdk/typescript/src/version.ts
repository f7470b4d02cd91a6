/** The version of this package, told to the service in `User-Agent`. */
export const VERSION = "0.1.0";
