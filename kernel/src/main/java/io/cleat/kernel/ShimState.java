package io.cleat.kernel;

import io.cleat.base.KernelTrouble;

/** What a shim recorded before it let its task execute: both processes. */
public record ShimState(ProcessIdentity shim, ProcessIdentity child) {
    /** The newest version that this program reads. */
    static final int VERSION = 1;

    static ShimState parse(String text) throws KernelTrouble {
        ShimText state = ShimText.file("cleat-state", VERSION, text);
        BootId boot = state.boot();
        return new ShimState(process(state, "shim", boot), process(state, "child", boot));
    }

    private static ProcessIdentity process(ShimText state, String which, BootId boot) throws KernelTrouble {
        return new ProcessIdentity(
                state.number(which, 0, 0, Integer.MAX_VALUE), state.number(which, 1, 0, Long.MAX_VALUE), boot);
    }
}
