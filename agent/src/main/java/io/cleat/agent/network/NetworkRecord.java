package io.cleat.agent.network;

import io.cleat.driver.NetworkMaker;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * What is written down of an allocation's network, before anything of it is made.
 *
 * @param boot the machine's boot in which it was made: after another one its namespace is gone, and what plugins keep
 *     on disk is not
 * @param mode as the group asks for it
 * @param calls the plugins that connect it, in the order in which they are asked
 * @param asked how many of them may have made something
 * @param args of its job for all of them, as they take it in {@code CNI_ARGS}
 * @param result the last answer of a plugin; empty before the first
 * @param isReady whether tasks may be started in it
 * @param driver the task driver that makes the namespace; null where the agent does
 * @param made what that driver has made; null until it has answered
 */
record NetworkRecord(
        String allocId,
        String boot,
        String mode,
        List<Call> calls,
        int asked,
        String args,
        String result,
        boolean isReady,
        @Nullable String driver,
        NetworkMaker.@Nullable Made made) {
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
        return with(asked + 1, result, isReady, made);
    }

    NetworkRecord answered(String answer) {
        return with(asked, answer, isReady, made);
    }

    NetworkRecord ready() {
        return with(asked, result, true, made);
    }

    /** With what its driver has made; null for what is not there any more. */
    NetworkRecord made(NetworkMaker.@Nullable Made found) {
        return with(asked, result, isReady, found);
    }

    private NetworkRecord with(int nowAsked, String answer, boolean ready, NetworkMaker.@Nullable Made found) {
        return new NetworkRecord(allocId, boot, mode, calls, nowAsked, args, answer, ready, driver, found);
    }

    /** Where its namespace is; empty where that is not known. */
    String namespace() {
        if (driver == null) {
            return NetworkNamespaces.path(allocId).toString();
        }
        return made == null ? "" : made.path();
    }

    /** Those that may have made something, the last first. */
    List<Call> toUndo() {
        return calls.subList(0, Math.clamp(asked, 0, calls.size())).reversed();
    }
}
