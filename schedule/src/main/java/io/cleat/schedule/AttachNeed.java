package io.cleat.schedule;

/** Whether a plugin's volumes have to be attached to a node before it may stage them. */
public enum AttachNeed {
    NEEDED,
    NOT_NEEDED,
    /** No instance is there to tell: nothing is done until one is. */
    UNKNOWN
}
