package io.cleat.model;

import java.time.Duration;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A file that a node renders for a task before it starts, and again when what it is made of changes.
 *
 * @param source the template's file, below the task's directory; empty if {@code data} is the template
 * @param destination where the text is written, in the allocation's directory
 * @param data the template itself; empty if {@code source} names it
 * @param changeSignal the signal of {@link ChangeMode#SIGNAL}; else empty
 * @param changeScript the script of {@link ChangeMode#SCRIPT}; else null
 * @param splay a change is answered after a time of chance up to this
 * @param perms the mode of the file, in octal
 * @param uid its owner; null for the agent's
 * @param gid its group; null for the agent's
 * @param env whether the text is lines {@code KEY=VALUE} for the task's environment
 * @param once whether it is rendered before the start only
 * @param errorOnMissingKey whether a key that a map does not have fails the task; else it is no value
 * @param gather how long changes are gathered before the text is rendered again; null for not at all
 */
public record TaskTemplate(
        String source,
        String destination,
        String data,
        ChangeMode changeMode,
        String changeSignal,
        @Nullable ChangeScript changeScript,
        Duration splay,
        String perms,
        @Nullable Integer uid,
        @Nullable Integer gid,
        String leftDelimiter,
        String rightDelimiter,
        boolean env,
        boolean once,
        boolean errorOnMissingKey,
        @Nullable Wait gather) {

    /** What a task is told of a text that has changed. */
    public enum ChangeMode implements WireNamed {
        NOOP("noop"),
        RESTART("restart"),
        SIGNAL("signal"),
        SCRIPT("script");

        private final String wire;

        ChangeMode(String wire) {
            this.wire = wire;
        }

        @Override
        public String wire() {
            return wire;
        }
    }

    /**
     * A command that is run in the task after a change.
     *
     * @param failOnError whether the task is killed if the command fails
     */
    public record ChangeScript(String command, List<String> args, Duration timeout, boolean failOnError) {
        public ChangeScript {
            args = List.copyOf(args);
        }
    }

    /**
     * How long changes are gathered.
     *
     * @param min without a further change
     * @param max in all
     */
    public record Wait(Duration min, Duration max) {}
}
