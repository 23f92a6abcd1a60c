package io.cleat.clusterapi.volumes;

import io.cleat.api.Answer;
import io.cleat.api.AnswerMeta;
import io.cleat.api.CsiSnapshot;
import io.cleat.api.CsiSnapshotRequest;
import io.cleat.api.CsiSnapshotResponse;
import io.cleat.base.Refusal;
import io.cleat.base.Refused;
import io.cleat.base.Secrets;
import io.cleat.base.Trouble;
import io.cleat.clusterapi.query.ListOfViews;
import io.cleat.http.WriteQuery;
import io.cleat.model.Listed;
import io.cleat.model.ListedSnapshot;
import io.cleat.model.NameRule;
import io.cleat.model.VolumeId;
import io.cleat.server.intake.Requests;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;

/** Snapshots, which their plugins keep: nothing of them is in an image. */
public final class SnapshotAnswers {
    private final Requests requests;

    public SnapshotAnswers(Requests requests) {
        this.requests = requests;
    }

    /** Has plugins make snapshots. Each has an outcome of its own: what is made stays, and what is not is told. */
    public Answer<CsiSnapshotResponse> create(WriteQuery query, CsiSnapshotRequest request)
            throws Refused, Trouble, InterruptedException {
        List<CsiSnapshot> wanted = Objects.requireNonNullElse(request.Snapshots(), List.of());
        Outcomes outcomes = new Outcomes(query.requestId(), wanted.size());
        List<CsiSnapshot> made = new ArrayList<>();
        for (CsiSnapshot each : wanted) {
            String what = "snapshot " + each.Name() + " of volume " + each.SourceVolumeID();
            outcomes.next(what, requestId -> {
                requireNames(each);
                made.add(shown(
                        requests.volumes()
                                .createSnapshot(
                                        new VolumeId(query.namespace(), each.SourceVolumeID()),
                                        each.Name(),
                                        Objects.requireNonNullElse(each.Parameters(), Map.of()),
                                        Objects.requireNonNullElse(each.Secrets(), Secrets.none()),
                                        requests.asked(requestId))
                                .reply(),
                        ""));
            });
        }
        outcomes.end();
        return new Answer<>(new CsiSnapshotResponse(0, false, 0, "", made), new AnswerMeta(0, 0, false, ""));
    }

    private static void requireNames(CsiSnapshot wanted) throws Refused {
        List<String> faults = new ArrayList<>();
        if (wanted.SourceVolumeID().isEmpty()) {
            faults.add("missing source volume: SourceVolumeID names a registered volume");
        }
        if (wanted.Name().isEmpty()) {
            faults.add("missing snapshot name: the same name makes the same snapshot again");
        }
        if (faults.isEmpty()) {
            NameRule.idFault("snapshot name", wanted.Name()).ifPresent(faults::add);
        }
        if (!faults.isEmpty()) {
            throw new Refused(new Refusal.Invalid(faults));
        }
    }

    /** Has a plugin delete a snapshot. */
    public AnswerMeta delete(WriteQuery query, String pluginId, String snapshotId, Secrets secrets)
            throws Refused, Trouble, InterruptedException {
        if (pluginId.isEmpty() || snapshotId.isEmpty()) {
            throw new Refused(new Refusal.Invalid("plugin_id and snapshot_id are both required"));
        }
        return AnswerMeta.ofLeader(
                requests.volumes().deleteSnapshot(pluginId, snapshotId, secrets, requests.asked(query.requestId())));
    }

    /**
     * A plugin's own list of its snapshots.
     *
     * @param nextToken the plugin's own token; empty for the first page
     */
    public CsiSnapshotResponse list(String pluginId, int perPage, String nextToken, Secrets secrets)
            throws Refused, Trouble, InterruptedException {
        Listed<ListedSnapshot> listed =
                requests.volumes().snapshots(pluginId, nextToken, perPage, secrets, requests.deadline());
        List<CsiSnapshot> snapshots = new ListOfViews<>(listed.entries(), each -> shown(each, pluginId));
        return new CsiSnapshotResponse(0, false, 0, listed.nextToken(), snapshots.isEmpty() ? null : snapshots);
    }

    private static CsiSnapshot shown(ListedSnapshot snapshot, String pluginId) {
        return new CsiSnapshot(
                snapshot.createdAt().getEpochSecond(),
                snapshot.sourceExternalId(),
                snapshot.snapshotId(),
                snapshot.ready(),
                "",
                null,
                pluginId,
                null,
                snapshot.size(),
                "");
    }
}
