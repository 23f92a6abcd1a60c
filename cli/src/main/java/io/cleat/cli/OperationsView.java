package io.cleat.cli;

import io.cleat.api.CleatClient;
import io.cleat.api.CsiVolumeStub;
import io.cleat.api.Json;
import io.cleat.api.Params;
import io.cleat.api.UnexpectedAnswer;
import io.cleat.api.VolumeOperation;
import io.cleat.api.VolumeWhy;
import io.cleat.base.LinkTrouble;
import io.cleat.base.VisibleText;
import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.node.ObjectNode;

/** Calls about volumes and snapshots that are not settled. */
final class OperationsView {
    private static final String OPERATIONS = "Operations";

    private OperationsView() {}

    /**
     * @param about the id of a volume or snapshot; empty for all
     * @return none where the agent is one that tells of none
     */
    static List<VolumeOperation> pending(CleatClient client, String about) throws UnexpectedAnswer, LinkTrouble {
        try {
            return client.volumes().operations(about, Params.none()).body();
        } catch (UnexpectedAnswer answer) {
            if (answer.isNotFound()) {
                return List.of();
            }
            throw answer;
        }
    }

    /** The volume's id; of a snapshot that is deleted, that one's. */
    static String about(VolumeOperation operation) {
        return operation.VolumeID().isEmpty() ? operation.SnapshotID() : operation.VolumeID();
    }

    /** A row for each; empty when there are none. */
    static String table(List<VolumeOperation> operations, boolean isVerbose, Instant now) {
        Columns columns = new Columns("ID", "Volume", "Snapshot", "Plugin ID", "Call", "State", "Since", "Last Words");
        for (VolumeOperation one : operations) {
            columns.row(
                    Human.id(one.ID(), isVerbose),
                    one.VolumeID().isEmpty() ? Human.NONE : one.VolumeID(),
                    one.SnapshotID().isEmpty() ? Human.NONE : one.SnapshotID(),
                    one.PluginID(),
                    one.Call(),
                    one.Cancelling() ? one.State() + ", cancelled" : one.State(),
                    one.Since() == null ? Human.NONE : Human.ago(one.Since(), now),
                    one.Words().isEmpty() ? Human.NONE : VisibleText.line(one.Words()));
        }
        return operations.isEmpty() ? "" : columns.text();
    }

    /** What is not registered, of which {@code operations} are all. */
    static String unregistered(String id, List<VolumeOperation> operations, Instant now) {
        VolumeOperation first = operations.getFirst();
        Rows rows = new Rows().put("ID", id);
        rows.putUnlessEmpty("Namespace", first.Namespace());
        rows.put("Plugin ID", first.PluginID());
        rows.put("State", "not registered: a call about it has no known end");
        StringBuilder text = new StringBuilder(rows.text());
        for (VolumeOperation one : operations) {
            VolumeWhy.Waiting wait = one.BlockedBy();
            if (wait != null) {
                text.append("\n\n")
                        .append(WhyView.paragraph(
                                "call %s (%s, tries %d)".formatted(one.Call(), one.State(), one.Tries()), wait, now));
            }
        }
        return text.toString();
    }

    /**
     * The volumes' JSON, each with its calls under {@code Operations}, and behind them an entry for each volume that is
     * not registered. A list without calls is as it was.
     */
    static List<ObjectNode> with(List<CsiVolumeStub> volumes, List<VolumeOperation> operations) {
        Map<String, List<VolumeOperation>> byVolume = new LinkedHashMap<>();
        for (VolumeOperation one : operations) {
            if (!one.VolumeID().isEmpty()) {
                byVolume.computeIfAbsent(key(one.Namespace(), one.VolumeID()), _ -> new ArrayList<>())
                        .add(one);
            }
        }
        List<ObjectNode> all = new ArrayList<>();
        for (CsiVolumeStub volume : volumes) {
            ObjectNode tree = (ObjectNode) Json.toTree(volume);
            all.add(with(tree, byVolume.remove(key(volume.Namespace(), volume.ID()))));
        }
        byVolume.values().forEach(calls -> all.add(alone(calls.getFirst().VolumeID(), calls)));
        return all;
    }

    private static String key(String namespace, String id) {
        return namespace + " " + id;
    }

    static ObjectNode with(ObjectNode tree, @Nullable List<VolumeOperation> operations) {
        if (operations != null && !operations.isEmpty()) {
            tree.set(OPERATIONS, Json.toTree(operations));
        }
        return tree;
    }

    /** What is not registered. */
    static ObjectNode alone(String id, List<VolumeOperation> operations) {
        VolumeOperation first = operations.getFirst();
        Map<String, Object> fields = new LinkedHashMap<>();
        fields.put("ID", id);
        fields.put("Namespace", first.Namespace());
        fields.put(OPERATIONS, operations);
        fields.put("PluginID", first.PluginID());
        return (ObjectNode) Objects.requireNonNull(Json.toTree(fields));
    }
}
