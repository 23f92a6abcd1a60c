package io.cleat.csi;

/** The plugin answered, and not with success. */
public final class CsiRejected extends CsiTrouble {
    private static final long serialVersionUID = 1;

    CsiRejected(Details details) {
        super(details);
    }
}
