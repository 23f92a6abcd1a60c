package io.cleat.launch;

import io.cleat.cli.Flag;

/**
 * How much memory the agent may keep its image and its work in. The launcher has read it before this program began, and
 * has refused what is no size: here it is known so that it is explained.
 */
final class HeapFlag {
    static final Flag FLAG = Flag.value(
            "heap",
            "size",
            "The heap at most, such as 512m or 4g; CLEAT_HEAP says it too. A quarter of the"
                    + " machine's memory unless given, or of what its control group may"
                    + " have, from 256m to 30g. It begins small.");

    private HeapFlag() {}
}
