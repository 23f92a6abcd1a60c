package io.cleat.csi;

/** The plugin's socket is not there, or the connection broke. */
public final class CsiUnavailable extends CsiTrouble {
    private static final long serialVersionUID = 1;

    CsiUnavailable(Details details) {
        super(details);
    }
}
