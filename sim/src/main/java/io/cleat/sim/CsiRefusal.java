package io.cleat.sim;

import io.cleat.csi.CsiCode;

/** A plugin's answer that is not success. */
final class CsiRefusal extends Exception {
    private static final long serialVersionUID = 1;

    private final CsiCode code;

    CsiRefusal(CsiCode code, String words) {
        super(words, null, false, false);
        this.code = code;
    }

    CsiCode code() {
        return code;
    }
}
