package io.cleat.cli;

import io.cleat.api.AllocationStub;
import io.cleat.api.CleatClient;
import io.cleat.api.CsiVolume;
import io.cleat.api.Params;
import io.cleat.api.UnexpectedAnswer;
import io.cleat.api.VolumeUse;
import io.cleat.base.LinkTrouble;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** How full a volume is, as its plugin says on the nodes that use it. */
final class VolumeUsageView {
    /** Each is asked by itself, at its node; more are not waited for. */
    private static final int ASKED = 10;

    private VolumeUsageView() {}

    /** A row for each running allocation that uses the volume; empty when there is none. */
    static String table(CleatClient client, CsiVolume volume, boolean isVerbose)
            throws LinkTrouble {
        List<AllocationStub> running =
                volume.Allocations().stream()
                        .filter(each -> each.ClientStatus().equals("running"))
                        .limit(ASKED)
                        .toList();
        Columns columns = new Columns("Allocation", "Used", "Size", "Inodes", "Condition");
        boolean hasRows = false;
        for (AllocationStub allocation : running) {
            for (VolumeUse use : uses(client, allocation)) {
                if (use.VolumeID().equals(volume.ID())) {
                    hasRows = true;
                    columns.row(
                            Human.id(allocation.ID(), isVerbose),
                            bytes(use.Bytes() == null ? null : use.Bytes().Used()),
                            bytes(use.Bytes() == null ? null : use.Bytes().Total()),
                            inodes(use.Inodes()),
                            condition(use));
                }
            }
        }
        return hasRows ? columns.text() : "";
    }

    /** None where the node cannot be asked: the rest of the answer stands without it. */
    private static List<VolumeUse> uses(CleatClient client, AllocationStub allocation)
            throws LinkTrouble {
        try {
            return List.copyOf(
                    client.allocations().volumes(allocation.ID(), Params.none()).values());
        } catch (UnexpectedAnswer notThere) {
            return List.of();
        }
    }

    private static String bytes(@Nullable Long bytes) {
        return bytes == null ? Human.NONE : Human.bytes(bytes);
    }

    private static String inodes(VolumeUse.@Nullable Amount inodes) {
        return inodes == null ? Human.NONE : inodes.Used() + "/" + inodes.Total();
    }

    private static String condition(VolumeUse use) {
        if (!use.Trouble().isEmpty()) {
            return "unknown: " + use.Trouble();
        }
        return use.Abnormal() ? "abnormal: " + use.Condition() : "ok";
    }
}
