package io.cleat.server.duty;

import io.cleat.base.FaultHandler;
import io.cleat.base.Ids;
import io.cleat.server.decide.Command;
import io.cleat.server.decide.Detach;
import io.cleat.server.decide.Holdings;
import io.cleat.state.AttachmentRow;
import io.cleat.state.ClusterState;
import io.cleat.state.OperationCall;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;

/**
 * What no claim needs on a node any more is detached. A claim goes once its node has said that nothing of it is left
 * there; only then is it the attachment's turn. An attaching that was given up is detached though it is claimed there
 * again: no node was told to mount it.
 */
final class Detaching implements AttachmentDuty.Look {
    private final Ids ids;
    private final FaultHandler faults;

    Detaching(Ids ids, FaultHandler faults) {
        this.faults = faults;
        this.ids = ids;
    }

    @Override
    public AttachmentDuty.Owed owed(ClusterState state, Instant now) {
        List<Command<?>> commands = new ArrayList<>();
        Duration idle = AttachmentDuty.IDLE;
        for (AttachmentRow row : state.pairing().attachments()) {
            try {
                if (!isBeingDetached(state, row) && Holdings.on(state, row.id()).isEmpty()) {
                    commands.add(new Detach(row.id(), ids.next()));
                }
            } catch (RuntimeException | Error fault) {
                faults.contain("duty/release, attachment " + row.id(), fault);
                idle = Duty.AFTER_FAULT;
            }
        }
        return new AttachmentDuty.Owed(commands, idle);
    }

    private static boolean isBeingDetached(ClusterState state, AttachmentRow row) {
        return state.operations().of(row.volume()).stream()
                .anyMatch(operation -> !operation.isDone()
                        && operation.call() instanceof OperationCall.Unpublish unpublish
                        && unpublish.attachment().equals(row.id()));
    }
}
