package io.cleat.views;

import io.cleat.api.AllocStopResponse;
import io.cleat.api.Allocation;
import io.cleat.api.AllocationStub;
import io.cleat.api.Answer;
import io.cleat.api.AnswerMeta;
import io.cleat.api.Rows;
import io.cleat.base.Refusal;
import io.cleat.base.Refused;
import io.cleat.base.Trouble;
import io.cleat.http.ListQuery;
import io.cleat.http.ReadQuery;
import io.cleat.http.WriteQuery;
import io.cleat.server.decide.StopAllocation;
import io.cleat.server.intake.Done;
import io.cleat.server.intake.Requests;
import io.cleat.state.AllocationRow;
import io.cleat.state.ClusterState;
import io.cleat.state.TableName;
import java.util.Optional;

/** Allocations over the server. */
public final class AllocationAnswers {
    static final Versions VERSION = Versions.of(TableName.ALLOCATIONS);

    private final Reading.Desk desk;
    private final Requests requests;

    AllocationAnswers(Reading.Desk desk, Requests requests) {
        this.desk = desk;
        this.requests = requests;
    }

    /**
     * Allocations in the order of their creation; the token of one is {@link
     * ListQuery#creationToken}. The filter looks at the {@link Allocation}.
     *
     * @param resources whether each stub has what it was given
     * @param taskStates whether each stub has its tasks' states; true unless asked otherwise
     */
    public Answer<Rows<AllocationStub>> list(ListQuery query, boolean resources, boolean taskStates)
            throws Refused, Trouble, InterruptedException {
        Reading reading = desk.read(query.read(), VERSION);
        ClusterState state = reading.state();
        String namespace = query.read().namespace();
        return query.page(
                Ranges.byId(
                        query,
                        Ranges.ordered(state::allocationsFrom, state.scans()::allocationsBefore),
                        AllocationRow::id,
                        row ->
                                query.read().isAllNamespaces()
                                        || row.job().namespace().equals(namespace)),
                AllocationRow::id,
                row -> AllocationView.whole(state, row),
                row -> AllocationView.stub(state, row, resources, taskStates),
                reading.meta());
    }

    /**
     * @param id 36 characters
     */
    public Answer<Optional<Allocation>> get(ReadQuery query, String id)
            throws Refused, Trouble, InterruptedException {
        Reading reading =
                desk.read(
                        query, Versions.row(TableName.ALLOCATIONS, state -> state.allocation(id)));
        return new Answer<>(
                reading.state()
                        .allocation(id)
                        .map(row -> AllocationView.whole(reading.state(), row)),
                reading.meta());
    }

    /**
     * Stops an allocation and has its job evaluated.
     *
     * @param query of namespace {@code *}, or of the allocation's: else it is not found
     * @param noShutdownDelay its tasks are stopped without their shutdown delay
     */
    public Answer<AllocStopResponse> stop(WriteQuery query, String id, boolean noShutdownDelay)
            throws Refused, Trouble, InterruptedException {
        boolean isThere =
                desk.images()
                        .read(false)
                        .allocation(id)
                        .filter(row -> isMeant(query.namespace(), row.job().namespace()))
                        .isPresent();
        if (!isThere) {
            throw new Refused(new Refusal.NotFound("alloc not found"));
        }
        Done<StopAllocation.Reply> done =
                requests.jobs()
                        .stopAllocation(id, noShutdownDelay, requests.asked(query.requestId()));
        return new Answer<>(
                new AllocStopResponse(done.reply().evalId(), done.version()),
                AnswerMeta.ofLeader(done.version()));
    }

    private static boolean isMeant(String asked, String namespace) {
        return asked.equals("*") || asked.equals(namespace);
    }
}
