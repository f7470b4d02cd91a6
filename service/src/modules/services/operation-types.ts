export const ADD_SERVICE = "service.add";
export const ROTATE_SERVICE = "service.rotate";
export const REMOVE_SERVICE = "service.remove";
export const UPGRADE_SERVICE = "service.upgrade";
