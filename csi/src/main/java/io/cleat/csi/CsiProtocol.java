package io.cleat.csi;

/** The plugin answered success with a reply that breaks the specification or our limits. */
public final class CsiProtocol extends CsiTrouble {
    private static final long serialVersionUID = 1;

    CsiProtocol(Details details) {
        super(details);
    }
}
