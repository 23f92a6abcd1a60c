package io.cleat.agent.network;

import java.util.List;

/**
 * What is written down of an allocation's network, before anything of it is made.
 *
 * @param boot the machine's boot in which it was made: after another one its namespace is gone, and
 *     what plugins keep on disk is not
 * @param mode as the group asks for it
 * @param calls the plugins that connect it, in the order in which they are asked
 * @param asked how many of them may have made something
 * @param args of its job for all of them, as they take it in {@code CNI_ARGS}
 * @param result the last answer of a plugin; empty before the first
 * @param isReady whether tasks may be started in it
 */
record NetworkRecord(
        String allocId,
        String boot,
        String mode,
        List<Call> calls,
        int asked,
        String args,
        String result,
        boolean isReady) {
    NetworkRecord {
        calls = List.copyOf(calls);
    }

    /**
     * One plugin of a network.
     *
     * @param type its program's name
     * @param config what it is told, in JSON, without what other plugins have answered
     */
    record Call(String type, String config) {}

    /** The next plugin is asked. */
    NetworkRecord asking() {
        return new NetworkRecord(allocId, boot, mode, calls, asked + 1, args, result, isReady);
    }

    NetworkRecord answered(String answer) {
        return new NetworkRecord(allocId, boot, mode, calls, asked, args, answer, isReady);
    }

    NetworkRecord ready() {
        return new NetworkRecord(allocId, boot, mode, calls, asked, args, result, true);
    }

    /** Those that may have made something, the last first. */
    List<Call> toUndo() {
        return calls.subList(0, Math.clamp(asked, 0, calls.size())).reversed();
    }
}
