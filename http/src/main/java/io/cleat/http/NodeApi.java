package io.cleat.http;

import io.cleat.api.AgentHealth;
import io.cleat.api.AgentSelf;
import io.cleat.api.AllocCheck;
import io.cleat.api.AllocStats;
import io.cleat.api.Metrics;
import io.cleat.api.NodeMetaResponse;
import io.cleat.api.NodeStats;
import io.cleat.api.VolumeUse;
import io.cleat.base.Refused;
import io.cleat.base.Trouble;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The agent of this process, or a relay to the node that is asked for. Any thread may call. A node that cannot be
 * reached is {@link io.cleat.base.Refusal.NotFound} {@code No path to node}.
 */
public interface NodeApi {
    /** This agent about itself. */
    AgentSelf self() throws Refused, Trouble, InterruptedException;

    /** Whether the parts of this agent work. */
    AgentHealth health() throws Refused, Trouble, InterruptedException;

    /** Figures of this process, and of what the node and its tasks use where one runs in it. */
    Metrics metrics() throws Refused, Trouble, InterruptedException;

    /**
     * What a node uses.
     *
     * @param nodeId empty for this agent's
     */
    NodeStats stats(String nodeId) throws Refused, Trouble, InterruptedException;

    /**
     * What jobs may ask for of a node.
     *
     * @param nodeId empty for this agent's
     */
    NodeMetaResponse meta(String nodeId) throws Refused, Trouble, InterruptedException;

    /**
     * Says more of that.
     *
     * @param nodeId empty for this agent's
     * @param more by key; null takes a key away
     */
    NodeMetaResponse changeMeta(String nodeId, Map<String, @Nullable String> more)
            throws Refused, Trouble, InterruptedException;

    /**
     * What an allocation uses.
     *
     * @param task only this one; empty for all
     */
    AllocStats allocStats(String allocId, String task) throws Refused, Trouble, InterruptedException;

    /**
     * Follows what this agent logs.
     *
     * @param nodeId empty for this agent's
     */
    PieceReader monitor(String nodeId, AgentLog.Severity level, boolean json)
            throws Refused, Trouble, InterruptedException;

    /**
     * Has an allocation that has ended give up its files, its tasks' output too; it does so soon.
     *
     * @throws Refused it is not here, or has not ended
     */
    void giveUpFiles(String allocId) throws Refused, Trouble, InterruptedException;

    /**
     * Has all allocations of a node that have ended give up their files.
     *
     * @param nodeId empty for this agent's
     */
    void giveUpAllFiles(String nodeId) throws Refused, Trouble, InterruptedException;

    /**
     * How the checks of an allocation's services are, by id.
     *
     * @throws Refused it is not here
     */
    Map<String, AllocCheck> checks(String allocId) throws Refused, Trouble, InterruptedException;

    /** How full the volumes of an allocation are, by alias. */
    Map<String, VolumeUse> volumes(String allocId) throws Refused, Trouble, InterruptedException;

    /**
     * Opens a task's output. An unknown task is {@code NotFound} {@code unknown task name "x"}, one that has not
     * started {@code NotFound} {@code task "t" not started yet. No logs available}.
     */
    PieceReader logs(LogQuery query) throws Refused, Trouble, InterruptedException;

    /**
     * Runs a command in a running task. An unknown task is {@code NotFound} {@code unknown task name "x"}, one that
     * does not run {@code task "t" is not running.}.
     */
    ExecFrames exec(ExecQuery query) throws Refused, Trouble, InterruptedException;

    /**
     * Sends a signal.
     *
     * @param task empty for all that run
     * @param signal such as {@code SIGHUP}
     */
    void signal(String allocId, String task, String signal) throws Refused, Trouble, InterruptedException;

    /**
     * Ends tasks and starts them again, as after no failure.
     *
     * @param task empty for all that run
     */
    void restart(String allocId, String task) throws Refused, Trouble, InterruptedException;

    /**
     * Ends all tasks, in order, and starts them again from the first, also those that have ended.
     *
     * @throws Refused if none runs
     */
    void restartAll(String allocId) throws Refused;

    /** The files of allocations. */
    FilesApi files();

    /**
     * Nothing is done to an allocation, or shown of it, for who means one of another namespace. Of one that is not here
     * nothing is known.
     *
     * @param namespace empty, or {@code *}, for whichever it is in
     * @throws Refused {@code NotFound} {@code alloc not found} if it is in another one
     */
    void requireNamespace(String allocId, String namespace) throws Refused;
}
