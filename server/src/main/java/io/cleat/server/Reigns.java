package io.cleat.server;

import io.cleat.base.Deadline;
import io.cleat.base.Ids;
import io.cleat.base.Lanes;
import io.cleat.base.LogTrouble;
import io.cleat.base.Threads;
import io.cleat.base.Time;
import io.cleat.server.commit.Committer;
import io.cleat.server.commit.ReignListener;
import io.cleat.server.decide.FormCluster;
import io.cleat.server.decide.NoteOtherPast;
import io.cleat.server.decide.Recovery;
import io.cleat.server.duty.Duties;
import io.cleat.server.session.NodeSessions;
import io.cleat.server.vault.Vault;
import io.cleat.state.AttachmentRow;
import io.cleat.state.Change;
import io.cleat.state.ClusterState;
import io.cleat.state.VariableRow;
import io.cleat.state.VolumeRow;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Begins and ends with each reign what only a leader does, one after the other on a lane of its own, since the decider
 * that tells of it must not wait.
 */
final class Reigns implements ReignListener {
    private static final Logger LOG = LoggerFactory.getLogger(Reigns.class);
    private static final Duration FORM_WITHIN = Duration.ofSeconds(30);

    private static final Duration FORM_PAUSE = Duration.ofMillis(100);

    private final Committer<ClusterState, Change> committer;
    private final NodeSessions sessions;
    private final Duties duties;
    private final Acknowledged acknowledged;
    private final Vault vault;
    private final Time time;
    private final Ids ids;
    private final Lanes<String> lane;
    private volatile String current = "";
    private volatile @Nullable Instant since;
    private volatile boolean isClosed;

    Reigns(
            Committer<ClusterState, Change> committer,
            NodeSessions sessions,
            Duties duties,
            Acknowledged acknowledged,
            Vault vault,
            Time time,
            Threads threads,
            Ids ids) {
        this.committer = committer;
        this.sessions = sessions;
        this.duties = duties;
        this.acknowledged = acknowledged;
        this.vault = vault;
        this.time = time;
        this.ids = ids;
        this.lane = Lanes.vital("server", threads);
    }

    @Override
    public void opened(String reign) {
        // Orders of a reign are sent after a decision of it, so a later reign has a larger number.
        long number = committer.applied().version() + 1;
        current = reign;
        since = committer.now();
        lane.run("reign", () -> begin(reign, number));
    }

    @Override
    public void ended(String reign) {
        current = "";
        since = null;
        lane.run("reign", this::end);
    }

    /** When the reign was opened that goes on; empty while there is none. */
    Optional<Instant> since() {
        return Optional.ofNullable(since);
    }

    /** Nothing begins any more. */
    void close() {
        isClosed = true;
        current = "";
    }

    private void begin(String reign, long number) throws InterruptedException {
        while (isCurrent(reign) && !(isCompared() && form())) {
            time.sleep(FORM_PAUSE);
        }
        if (isCurrent(reign)) {
            compareKeys();
            sessions.begin(number);
            duties.begin(number);
        }
    }

    /** What is stored with another key is known now, not only when it is needed. */
    private void compareKeys() {
        ClusterState image = committer.applied().image();
        vault.stored(Stream.of(
                        image.volumes().stream().map(VolumeRow::secrets),
                        image.attachments().all().stream().map(AttachmentRow::publishContext),
                        image.variables().all().stream().map(VariableRow::items))
                .flatMap(each -> each));
        vault.fault().ifPresent(why -> LOG.error("{}", why));
    }

    private boolean isCurrent(String reign) {
        return current.equals(reign) && !isClosed;
    }

    /**
     * Before anything else is decided, what the log holds is compared with what was acknowledged. What is missing puts
     * the cluster into recovery.
     */
    private boolean isCompared() throws InterruptedException {
        Optional<Acknowledged.Mark> lost = acknowledged.lost(committer.applied());
        if (lost.isPresent()) {
            Acknowledged.Mark mark = lost.get();
            long known = committer.applied().version();
            LOG.error(
                    "The log ends at version {}, and version {} was acknowledged{}. Its end was cut"
                            + " off, taken away or put back from a copy. The cluster goes into"
                            + " recovery: see operator recovery, and docs/other-past.md",
                    known,
                    mark.version(),
                    Recovery.missing(mark.version(), known));
            try {
                committer.commit(
                        NoteOtherPast.ofServer(mark.version(), mark.reign()),
                        Optional.empty(),
                        Deadline.in(time, FORM_WITHIN));
            } catch (LogTrouble trouble) {
                LOG.warn("The loss is not noted yet: {}", trouble.reason());
                return false;
            }
            if (!isKnown(mark)) {
                return false;
            }
        }
        acknowledged.follow(committer.applied());
        return true;
    }

    /** A person has decided of this loss before. */
    private boolean isKnown(Acknowledged.Mark mark) {
        return committer
                .applied()
                .image()
                .otherPast(NoteOtherPast.SERVER)
                .filter(row -> row.is(mark.version(), mark.reign()))
                .isPresent();
    }

    private boolean form() throws InterruptedException {
        if (committer.applied().image().clusterId().isPresent()) {
            return true;
        }
        try {
            committer.commit(new FormCluster(ids.next()), Optional.empty(), Deadline.in(time, FORM_WITHIN));
            return committer.applied().image().clusterId().isPresent();
        } catch (LogTrouble trouble) {
            LOG.warn("The cluster has no id yet: {}", trouble.reason());
            return false;
        }
    }

    private void end() {
        duties.end();
        sessions.end();
    }
}
