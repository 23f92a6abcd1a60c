package io.cleat.state;

import io.cleat.base.Since;
import io.cleat.model.JobId;
import org.jspecify.annotations.Nullable;

/**
 * What is left of a decision that goes over more rows than fit into one. It is stored in the same entry as the part
 * that was done, and worked off in parts until nothing is left of it.
 */
public sealed interface Remainder {
    /** What tells it from others: a second one of the same id takes the place of the first. */
    String id();

    /** All blocked evaluations are to be made pending. */
    record WakeAll() implements Remainder {
        @Override
        public String id() {
            return "wake";
        }
    }

    /** Those are that anything may help that gets free. */
    record WakeForRoom() implements Remainder {
        @Override
        public String id() {
            return "wake/room";
        }
    }

    /** Those are that wait for this volume. */
    record WakeForVolume(VolumeKey key) implements Remainder {
        @Override
        public String id() {
            return "wake/volume/" + key.pluginId() + "/" + key.externalId();
        }
    }

    /** Claims that wait for a volume get their turn; then evaluations that wait for it. */
    record HandOn(VolumeKey key) implements Remainder {
        @Override
        public String id() {
            return "hand-on/" + key.pluginId() + "/" + key.externalId();
        }
    }

    /**
     * System jobs look at a node.
     *
     * @param after the last that has; null for none yet
     */
    record NodeUp(String nodeId, @Nullable JobId after) implements Remainder {
        @Override
        public String id() {
            return "node-up/" + nodeId;
        }
    }

    /**
     * What is on a node that went down is seen to.
     *
     * @param after the last allocation that was; empty for none yet
     */
    record NodeDown(String nodeId, String after) implements Remainder {
        @Override
        public String id() {
            return "node-down/" + nodeId;
        }
    }

    /** Claims and calls of before a node's boot are settled. */
    record NodeBooted(String nodeId) implements Remainder {
        @Override
        public String id() {
            return "node-booted/" + nodeId;
        }
    }

    /** What was attached to a node's former machine is to be detached. */
    @Since(Change.MACHINES_LEVEL)
    record MachineReplaced(String nodeId) implements Remainder {
        @Override
        public String id() {
            return "machine-replaced/" + nodeId;
        }
    }

    /** A job's evaluations that wait for something, be it a time, are canceled. */
    record CancelWaiting(JobId job, String why) implements Remainder {
        @Override
        public String id() {
            return "cancel/" + job;
        }
    }

    /** A job's tasks are to stop without their shutdown delay. */
    record Hurry(JobId job) implements Remainder {
        @Override
        public String id() {
            return "hurry/" + job;
        }
    }

    /** A job's failed allocations are rescheduled. */
    record Reschedule(JobId job) implements Remainder {
        @Override
        public String id() {
            return "reschedule/" + job;
        }
    }

    /** Allocations fail whose volume could not be attached. */
    record FailAttaching(AttachmentId attachment, String words) implements Remainder {
        @Override
        public String id() {
            return "fail-attaching/"
                    + attachment.nodeId()
                    + "/"
                    + attachment.key().pluginId()
                    + "/"
                    + attachment.key().externalId();
        }
    }
}
