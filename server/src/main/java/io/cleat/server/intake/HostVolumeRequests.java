package io.cleat.server.intake;

import io.cleat.base.Deadline;
import io.cleat.base.Effect;
import io.cleat.base.LogTrouble;
import io.cleat.base.Refusal;
import io.cleat.base.Refused;
import io.cleat.base.Time;
import io.cleat.codec.RecordCodec;
import io.cleat.model.HostVolumeNames;
import io.cleat.model.HostVolumeSpec;
import io.cleat.model.VolumeId;
import io.cleat.server.decide.DeleteHostVolume;
import io.cleat.server.decide.DeleteStickyClaim;
import io.cleat.server.decide.EndHostVolume;
import io.cleat.server.decide.HostVolumeMade;
import io.cleat.server.decide.HostVolumeReply;
import io.cleat.server.decide.HostVolumeUnanswered;
import io.cleat.server.decide.PutHostVolume;
import io.cleat.server.session.NodeSessions;
import io.cleat.state.HostVolumeRow;
import io.cleat.wire.ControllerCall;
import io.cleat.wire.ControllerReply;
import io.cleat.wire.OrderOutcome;
import java.time.Duration;
import java.util.List;
import java.util.Optional;

/**
 * Requests about host volumes that nodes make. Each is noted before its node is asked, so that nothing is made that
 * nobody knows of; what the node did without being heard is noted when it lists the volume, or by a deletion. Any
 * thread.
 */
public final class HostVolumeRequests {
    static final RecordCodec<HostVolumeSpec> TEXT = RecordCodec.stored("askh", 1, HostVolumeSpec.class);
    static final RecordCodec<HostVolumeReply> REPLY = RecordCodec.stored("rhvo", 1, HostVolumeReply.class);

    private static final Duration NOTING = Duration.ofSeconds(10);

    private final Commits commits;
    private final NodeSessions sessions;
    private final Time time;

    HostVolumeRequests(Commits commits, NodeSessions sessions, Time time) {
        this.commits = commits;
        this.sessions = sessions;
        this.time = time;
    }

    /** What a node has said is noted, though nobody waits for it any more. */
    private Deadline after() {
        return Deadline.in(time, NOTING);
    }

    /**
     * Has a node make a volume, or take in a directory; with an id, changes a known one.
     *
     * @param spec valid
     * @param path of the directory; empty for one that is to be made
     * @return the volume as it is noted
     */
    public Done<HostVolumeRow> put(HostVolumeSpec spec, String path, Asked asked)
            throws Refused, LogTrouble, InterruptedException {
        boolean isKnown = !spec.id().isEmpty();
        Done<HostVolumeReply> noted = commits.once(
                new PutHostVolume(isKnown ? spec : spec.withId(commits.seed()), isKnown, path),
                () -> List.of(TEXT.encode(spec), path),
                REPLY,
                asked);
        HostVolumeRow row = HostVolumeRow.find(commits.newest(), noted.reply().id())
                .orElseThrow(() -> new Refused(notThereAnyMore(spec)));
        if (isKnown || !row.hostPath().isEmpty()) {
            return new Done<>(row, noted.version());
        }
        Optional<OrderOutcome> outcome =
                ask(row, new ControllerCall.MakeHostVolume(row.spec(), path), asked.deadline());
        if (outcome.isPresent()
                && outcome.get()
                        instanceof OrderOutcome.Done(ControllerReply.HostVolumeMade(String there, long bytes))) {
            long version = commits.commit(new HostVolumeMade(row.spec().id(), there, bytes), after())
                    .version();
            return new Done<>(row.made(there, bytes, row.createdAt()), version);
        }
        if (hasFailed(outcome)) {
            commits.commit(new EndHostVolume(row.id(), true), after());
        } else {
            commits.commit(unanswered(row, outcome), after());
        }
        throw new Refused(failure("could not create volume", row, outcome));
    }

    /**
     * Has a node delete a volume that nobody uses.
     *
     * @param force forgets one whose node is not known any more
     * @return the version without it
     */
    public long delete(VolumeId id, boolean force, Asked asked) throws Refused, LogTrouble, InterruptedException {
        Done<HostVolumeReply> noted =
                commits.once(new DeleteHostVolume(id, force), () -> List.of(id, force), REPLY, asked);
        Optional<HostVolumeRow> there = HostVolumeRow.find(commits.newest(), id);
        if (noted.reply().isGone() || there.isEmpty()) {
            return noted.version();
        }
        HostVolumeRow row = there.get();
        if (!row.deleting()) {
            throw new Refused(new Refusal.Conflict(
                    "the request was carried out, and the volume was not deleted: say it again as another request"));
        }
        Optional<OrderOutcome> outcome = ask(row, new ControllerCall.DeleteHostVolume(row.spec()), asked.deadline());
        if (outcome.isPresent() && outcome.get() instanceof OrderOutcome.Done(ControllerReply.HostVolumeDeleted _)) {
            return commits.commit(new EndHostVolume(id, true), after()).version();
        }
        if (hasFailed(outcome)) {
            commits.commit(new EndHostVolume(id, false), after());
        } else {
            commits.commit(unanswered(row, outcome), after());
        }
        throw new Refused(failure("could not delete volume", row, outcome));
    }

    /**
     * Lets a group have another host volume than it keeps.
     *
     * @return the version of the change
     */
    public long deleteClaim(String namespace, String id, Asked asked) throws Refused, LogTrouble, InterruptedException {
        return commits.commit(new DeleteStickyClaim(namespace, id), asked.deadline())
                .version();
    }

    private Optional<OrderOutcome> ask(HostVolumeRow row, ControllerCall call, Deadline deadline)
            throws InterruptedException {
        return sessions.ask(row.spec().nodeId(), HostVolumeNames.PLUGIN, "", call, deadline);
    }

    private static Refusal notThereAnyMore(HostVolumeSpec spec) {
        return new Refusal.NotFound("the request was carried out, and volume \""
                + spec.name()
                + "\" is not there any more: it could not be made, or is deleted since; ask for it as another request");
    }

    private static HostVolumeUnanswered unanswered(HostVolumeRow row, Optional<OrderOutcome> outcome) {
        return new HostVolumeUnanswered(
                row.id(),
                outcome.isPresent() && outcome.get() instanceof OrderOutcome.Failed failed
                        ? failed.message()
                        : "it has not answered",
                false);
    }

    /** Whether it is known that nothing was done. */
    private static boolean hasFailed(Optional<OrderOutcome> outcome) {
        return outcome.isPresent()
                && outcome.get() instanceof OrderOutcome.Failed failed
                && failed.effect() == Effect.NONE;
    }

    private static Refusal failure(String what, HostVolumeRow row, Optional<OrderOutcome> outcome) {
        String prefix = what + " \"" + row.spec().name() + "\": ";
        if (outcome.isPresent() && outcome.get() instanceof OrderOutcome.Failed failed) {
            return new Refusal.Failed(
                    prefix
                            + failed.message()
                            + (failed.effect() == Effect.NONE
                                    ? ""
                                    : "; what is left of it goes with: cleat volume delete -type=host "
                                            + row.spec().id()),
                    failed.effect());
        }
        return new Refusal.Failed(
                prefix
                        + "node "
                        + row.spec().nodeId()
                        + " has not answered; volume status "
                        + row.spec().id()
                        + " says what became of it, and it goes with: cleat volume delete -type=host "
                        + row.spec().id(),
                Effect.UNKNOWN);
    }
}
