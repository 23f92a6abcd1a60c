package io.cleat.clusterapi.evaluations;

import io.cleat.api.Answer;
import io.cleat.api.AnswerMeta;
import io.cleat.api.EvalCountResponse;
import io.cleat.api.EvalDeleteResponse;
import io.cleat.api.Evaluation;
import io.cleat.api.Rows;
import io.cleat.base.Refused;
import io.cleat.base.Trouble;
import io.cleat.clusterapi.query.Ranges;
import io.cleat.clusterapi.query.Reading;
import io.cleat.clusterapi.query.Readings;
import io.cleat.http.Filter;
import io.cleat.http.ListQuery;
import io.cleat.http.ReadQuery;
import io.cleat.http.ShownNamespaces;
import io.cleat.http.WriteQuery;
import io.cleat.model.JobId;
import io.cleat.server.decide.DeleteEvaluations;
import io.cleat.server.intake.Done;
import io.cleat.server.intake.Requests;
import io.cleat.server.intake.Versions;
import io.cleat.state.ClusterState;
import io.cleat.state.EvaluationRow;
import io.cleat.state.RowId;
import io.cleat.state.Scans;
import io.cleat.state.TableName;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.Iterator;
import java.util.List;
import java.util.Optional;
import java.util.function.Predicate;
import java.util.function.Supplier;
import java.util.stream.Stream;

/** Evaluations over the server. */
public final class EvaluationAnswers {
    private static final Versions VERSION = Versions.of(TableName.EVALUATIONS);

    private final Readings readings;
    private final Requests requests;

    public EvaluationAnswers(Readings readings, Requests requests) {
        this.readings = readings;
        this.requests = requests;
    }

    /** How many there are that {@link #list} would show without a page's end. */
    public Answer<EvalCountResponse> count(ListQuery query, String jobId, String status)
            throws Refused, Trouble, InterruptedException {
        Answer<Rows<Evaluation>> all =
                list(new ListQuery(query.read(), query.prefix(), query.filter(), 0, "", false), jobId, status);
        long count = 0;
        for (Evaluation _ : all.body()) {
            count++;
        }
        AnswerMeta meta = all.meta();
        return new Answer<>(
                new EvalCountResponse(count, meta.index(), meta.knownLeader(), meta.lastContactMillis(), ""), meta);
    }

    /**
     * Deletes evaluations that nothing needs.
     *
     * @throws Refused one of them is needed, or is not there: nothing is deleted then
     */
    public Answer<EvalDeleteResponse> delete(WriteQuery query, List<String> ids)
            throws Refused, Trouble, InterruptedException {
        Done<DeleteEvaluations.Reply> done =
                requests.evaluations().delete(ids, false, requests.asked(query.requestId()));
        return deleted(done.reply().removed(), done.reply().needed(), done.version());
    }

    /** In parts, each of which is one decision: what comes meanwhile is not looked at. */
    public Answer<EvalDeleteResponse> deleteMatching(WriteQuery query, Filter filter)
            throws Refused, Trouble, InterruptedException {
        ClusterState state = readings.images().read(false);
        Iterator<EvaluationRow> rows = Ranges.stream(state.evaluations().from(""))
                .filter(row -> query.shown().has(row.job().namespace()))
                .filter(row -> filter.matches(() -> EvaluationView.of(row)))
                .iterator();
        long removed = 0;
        long needed = 0;
        long version = state.version();
        while (rows.hasNext()) {
            List<String> part = new ArrayList<>();
            while (rows.hasNext() && part.size() < DeleteEvaluations.MOST) {
                part.add(rows.next().id());
            }
            Done<DeleteEvaluations.Reply> done =
                    requests.evaluations().delete(part, true, requests.asked(query.requestId()));
            removed += done.reply().removed();
            needed += done.reply().needed();
            version = done.version();
        }
        return deleted(removed, needed, version);
    }

    private static Answer<EvalDeleteResponse> deleted(long removed, long needed, long version) {
        return new Answer<>(new EvalDeleteResponse(removed, version, needed), AnswerMeta.ofLeader(version));
    }

    /**
     * Evaluations in the order of their creation; the token of one is {@link ListQuery#creationToken}. The filter looks
     * at the {@link Evaluation}.
     *
     * @param jobId only those of this job; empty for all
     * @param status only those with this status; empty for all
     */
    public Answer<Rows<Evaluation>> list(ListQuery query, String jobId, String status)
            throws Refused, Trouble, InterruptedException {
        Reading reading = readings.read(query.read(), VERSION);
        ShownNamespaces shown = query.read().shown();
        Comparator<EvaluationRow> order = query.reverse() ? EvaluationView.BY_AGE.reversed() : EvaluationView.BY_AGE;
        Predicate<EvaluationRow> isWanted = row -> row.id().startsWith(query.prefix())
                && shown.has(row.job().namespace())
                && (jobId.isEmpty() || row.job().id().equals(jobId))
                && (status.isEmpty() || row.status().wire().equals(status));
        Optional<EvaluationRow> from =
                reading.state().evaluations().get(query.nextToken()).filter(isWanted);
        if (!query.nextToken().isEmpty() && from.isEmpty()) {
            return new Answer<>(Rows.of(List.of()), reading.meta());
        }
        Supplier<Stream<EvaluationRow>> rows =
                () -> Ranges.stream(reading.state().evaluations().from(query.prefix()))
                        .takeWhile(row -> row.id().startsWith(query.prefix()))
                        .filter(isWanted);
        return withoutToken(query)
                .page(
                        () -> EvaluationView.inOrder(rows, order, from.orElse(null)),
                        EvaluationRow::id,
                        EvaluationView::of,
                        EvaluationView::of,
                        reading.meta());
    }

    /** Ids are in no order of age, so a page begins where its first row was found. */
    private static ListQuery withoutToken(ListQuery query) {
        return new ListQuery(query.read(), query.prefix(), query.filter(), query.perPage(), "", query.reverse());
    }

    /** @param related whether to add those that led to it or followed from it */
    public Answer<Optional<Evaluation>> get(ReadQuery query, String id, boolean related)
            throws Refused, Trouble, InterruptedException {
        Reading reading = readings.read(
                query,
                related
                        ? VERSION
                        : Versions.row(
                                RowId.evaluation(id),
                                state -> state.evaluations().get(id)));
        return new Answer<>(
                reading.state().evaluations().get(id).map(row -> EvaluationView.one(reading.state(), row, related)),
                reading.meta());
    }

    /** Those of a job, newest first. */
    public Answer<Rows<Evaluation>> ofJob(ReadQuery query, String jobId) throws Refused, Trouble, InterruptedException {
        Reading reading = readings.read(query, VERSION);
        Scans scans = reading.state().scans();
        JobId job = new JobId(query.namespace(), jobId);
        return new Answer<>(
                Rows.of(() -> EvaluationView.inOrder(
                                () -> Ranges.stream(scans.evaluationsOfJob(job)),
                                EvaluationView.BY_AGE.reversed(),
                                null)
                        .map(EvaluationView::of)),
                reading.meta());
    }
}
