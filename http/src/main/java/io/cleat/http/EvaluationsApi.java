package io.cleat.http;

import io.cleat.api.AllocationStub;
import io.cleat.api.Answer;
import io.cleat.api.Evaluation;
import io.cleat.api.Rows;
import io.cleat.base.Refused;
import io.cleat.base.Trouble;
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
}
