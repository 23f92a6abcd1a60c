package io.cleat.cli;

import io.cleat.api.AllocationStub;
import io.cleat.api.CleatClient;
import io.cleat.api.CsiVolume;
import io.cleat.api.Json;
import io.cleat.api.Params;
import io.cleat.api.UnexpectedAnswer;
import io.cleat.api.VolumeUse;
import io.cleat.base.LinkTrouble;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.node.ObjectNode;

/** How full a volume is, as its plugin says on the nodes that use it. */
final class VolumeUsageView {
    /** Each is asked by itself, at its node; more are not waited for. */
    private static final int ASKED = 10;

    private VolumeUsageView() {}

    /** A row for each running allocation that uses the volume; empty when there is none. */
    static String table(CleatClient client, CsiVolume volume, boolean isVerbose) throws LinkTrouble {
        Columns columns = new Columns("Allocation", "Used", "Size", "Inodes", "Condition");
        boolean hasRows = false;
        for (Map.Entry<String, VolumeUse> each : byAllocation(client, volume).entrySet()) {
            VolumeUse use = each.getValue();
            hasRows = true;
            columns.row(
                    Human.id(each.getKey(), isVerbose),
                    bytes(use.Bytes() == null ? null : use.Bytes().Used()),
                    bytes(use.Bytes() == null ? null : use.Bytes().Total()),
                    inodes(use.Inodes()),
                    condition(use));
        }
        return hasRows ? columns.text() : "";
    }

    /** The volume's JSON, with what is known of its use under {@code Usage}, by allocation. */
    static ObjectNode with(CleatClient client, CsiVolume volume) throws LinkTrouble {
        ObjectNode tree = (ObjectNode) Json.toTree(volume);
        tree.set("Usage", Json.toTree(byAllocation(client, volume)));
        return tree;
    }

    private static Map<String, VolumeUse> byAllocation(CleatClient client, CsiVolume volume) throws LinkTrouble {
        Map<String, VolumeUse> all = new TreeMap<>();
        for (AllocationStub allocation : volume.Allocations().stream()
                .filter(each -> each.ClientStatus().equals("running"))
                .limit(ASKED)
                .toList()) {
            for (VolumeUse use : uses(client, allocation)) {
                if (use.VolumeID().equals(volume.ID())) {
                    all.put(allocation.ID(), use);
                }
            }
        }
        return all;
    }

    /** None where the node cannot be asked: the rest of the answer stands without it. */
    private static List<VolumeUse> uses(CleatClient client, AllocationStub allocation) throws LinkTrouble {
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
