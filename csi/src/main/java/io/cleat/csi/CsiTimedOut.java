package io.cleat.csi;

/** No answer in time. */
public final class CsiTimedOut extends CsiTrouble {
    private static final long serialVersionUID = 1;

    CsiTimedOut(Details details) {
        super(details);
    }
}
