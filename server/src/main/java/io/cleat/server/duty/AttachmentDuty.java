package io.cleat.server.duty;

import io.cleat.base.LogTrouble;
import io.cleat.server.commit.Answer;
import io.cleat.server.decide.Command;
import io.cleat.state.ClusterState;
import io.cleat.state.TableName;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Set;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Decides what claims and attachments ask for: to attach, or to detach. */
final class AttachmentDuty implements Duty {
    /** How long it is until another look, though nothing has changed. */
    static final Duration IDLE = Duration.ofHours(1);

    private static final Logger LOG = LoggerFactory.getLogger(AttachmentDuty.class);
    private static final Duration AGAIN = Duration.ofSeconds(5);

    /** What the rows of an image ask for. */
    interface Look {
        /** What is owed now; pure. */
        Owed owed(ClusterState state, Instant now);
    }

    /**
     * Commands to be decided.
     *
     * @param idle after how long to look again though nothing has changed
     */
    record Owed(List<Command<?>> commands, Duration idle) {
        Owed {
            commands = List.copyOf(commands);
        }
    }

    private final String name;
    private final Deciding deciding;
    private final Look look;

    AttachmentDuty(String name, Deciding deciding, Look look) {
        this.name = name;
        this.deciding = deciding;
        this.look = look;
    }

    @Override
    public String name() {
        return name;
    }

    @Override
    public Set<TableName> tables() {
        return Set.of(
                TableName.CLAIMS, TableName.ATTACHMENTS, TableName.OPERATIONS, TableName.NODES, TableName.HOLDINGS);
    }

    @Override
    public Duration turn() throws LogTrouble, InterruptedException {
        Owed owed = look.owed(deciding.newest(), deciding.now());
        Duration idle = owed.idle();
        for (Command<?> command : owed.commands()) {
            if (!isAccepted(command)) {
                idle = idle.compareTo(AGAIN) < 0 ? idle : AGAIN;
            }
        }
        return idle;
    }

    private <R> boolean isAccepted(Command<R> command) throws LogTrouble, InterruptedException {
        if (deciding.commit(command) instanceof Answer.Rejected<R> rejected) {
            LOG.debug("{} waits: {}", name, rejected.refusal().message());
            return false;
        }
        return true;
    }
}
