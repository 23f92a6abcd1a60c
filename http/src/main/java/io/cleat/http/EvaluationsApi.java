package io.cleat.http;

import io.cleat.api.AllocationStub;
import io.cleat.api.Answer;
import io.cleat.api.EvalCountResponse;
import io.cleat.api.EvalDeleteResponse;
import io.cleat.api.Evaluation;
import io.cleat.api.Rows;
import io.cleat.base.Refused;
import io.cleat.base.Trouble;
import java.util.List;
import java.util.Optional;

/** Evaluations. */
public interface EvaluationsApi {
    /**
     * Evaluations in the order of their creation; the token of one is {@link
     * ListQuery#creationToken}. The filter looks at the {@link Evaluation}.
     *
     * @param jobId only those of this job; empty for all
     * @param status only those with this status; empty for all
     */
    Answer<Rows<Evaluation>> list(ListQuery query, String jobId, String status)
            throws Refused, Trouble, InterruptedException;

    /**
     * @param related whether to add those that led to it or followed from it
     */
    Answer<Optional<Evaluation>> get(ReadQuery query, String id, boolean related)
            throws Refused, Trouble, InterruptedException;

    Answer<Rows<AllocationStub>> allocations(ReadQuery query, String id)
            throws Refused, Trouble, InterruptedException;

    /** How many there are that {@link #list} would show without a page's end. */
    Answer<EvalCountResponse> count(ListQuery query, String jobId, String status)
            throws Refused, Trouble, InterruptedException;

    /**
     * Deletes evaluations that nothing needs.
     *
     * @throws Refused one of them is needed, or is not there: nothing is deleted then
     */
    Answer<EvalDeleteResponse> delete(WriteQuery query, List<String> ids)
            throws Refused, Trouble, InterruptedException;

    /** As {@link #delete}, of all that fit; those that are needed stay, and are counted. */
    Answer<EvalDeleteResponse> deleteMatching(WriteQuery query, Filter filter)
            throws Refused, Trouble, InterruptedException;
}
