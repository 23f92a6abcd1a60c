package io.cleat.kernel;

import io.cleat.base.KernelTrouble;

/** What a shim recorded before it let its task execute: both processes. */
public record ShimState(ProcessIdentity shim, ProcessIdentity child) {
    /** The newest version that this program reads. */
    static final int VERSION = 1;

    static ShimState parse(String text) throws KernelTrouble {
        ShimText state = ShimText.file("cleat-state", VERSION, text);
        BootId boot = new BootId(state.word("boot"));
        return new ShimState(
                new ProcessIdentity(state.number("shim", 0), state.number("shim", 1), boot),
                new ProcessIdentity(state.number("child", 0), state.number("child", 1), boot));
    }
}
