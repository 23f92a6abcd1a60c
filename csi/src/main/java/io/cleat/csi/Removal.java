package io.cleat.csi;

/** How a call that takes something away ended. */
public enum Removal {
    /** The plugin says it is gone. */
    DONE,
    /**
     * The plugin knows no such volume (NotFound, in each try that was answered). Often this means "already gone";
     * believe it only after looking.
     */
    NOT_FOUND
}
