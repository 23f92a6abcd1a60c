package io.cleat.views;

import io.cleat.api.AllocationStub;
import io.cleat.api.Answer;
import io.cleat.api.Evaluation;
import io.cleat.base.Refused;
import io.cleat.base.Trouble;
import io.cleat.http.EvaluationsApi;
import io.cleat.http.ListQuery;
import io.cleat.http.ReadQuery;
import io.cleat.state.EvaluationRow;
import io.cleat.state.TableName;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/** Evaluations over the server. */
final class EvaluationAnswers implements EvaluationsApi {
    static final Versions VERSION = Versions.of(TableName.EVALUATIONS);

    private final Reading.Desk desk;

    EvaluationAnswers(Reading.Desk desk) {
        this.desk = desk;
    }

    @Override
    public Answer<List<Evaluation>> list(ListQuery query, String jobId, String status)
            throws Refused, Trouble, InterruptedException {
        Reading reading = desk.read(query.read(), VERSION);
        String namespace = query.read().namespace();
        Comparator<EvaluationRow> order =
                query.reverse() ? EvaluationView.BY_AGE.reversed() : EvaluationView.BY_AGE;
        Stream<EvaluationRow> rows =
                reading.state().evaluationsFrom(query.prefix()).stream()
                        .takeWhile(row -> row.id().startsWith(query.prefix()))
                        .filter(
                                row ->
                                        query.read().isAllNamespaces()
                                                || row.job().namespace().equals(namespace))
                        .filter(row -> jobId.isEmpty() || row.job().id().equals(jobId))
                        .filter(row -> status.isEmpty() || row.status().wire().equals(status))
                        .sorted(order)
                        .dropWhile(
                                row ->
                                        !query.nextToken().isEmpty()
                                                && !row.id().equals(query.nextToken()));
        return withoutToken(query)
                .page(
                        rows.iterator(),
                        EvaluationRow::id,
                        EvaluationView::of,
                        EvaluationView::of,
                        reading.meta());
    }

    /** Ids are in no order of age, so a page begins where its first row was found. */
    private static ListQuery withoutToken(ListQuery query) {
        return new ListQuery(
                query.read(), query.prefix(), query.filter(), query.perPage(), "", query.reverse());
    }

    @Override
    public Answer<Optional<Evaluation>> get(ReadQuery query, String id, boolean related)
            throws Refused, Trouble, InterruptedException {
        Reading reading =
                desk.read(
                        query,
                        related
                                ? VERSION
                                : Versions.row(
                                        TableName.EVALUATIONS, state -> state.evaluation(id)));
        return new Answer<>(
                reading.state()
                        .evaluation(id)
                        .map(
                                row ->
                                        related
                                                ? EvaluationView.withRelated(reading.state(), row)
                                                : EvaluationView.of(row)),
                reading.meta());
    }

    @Override
    public Answer<List<AllocationStub>> allocations(ReadQuery query, String id)
            throws Refused, Trouble, InterruptedException {
        Reading reading = desk.read(query, AllocationAnswers.VERSION);
        return new Answer<>(
                AllocationView.stubs(reading.state(), reading.state().allocationsOfEvaluation(id)),
                reading.meta());
    }
}
