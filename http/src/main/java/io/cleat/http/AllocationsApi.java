package io.cleat.http;

import io.cleat.api.AllocStopResponse;
import io.cleat.api.Allocation;
import io.cleat.api.AllocationStub;
import io.cleat.api.Answer;
import io.cleat.api.Rows;
import io.cleat.base.Refused;
import io.cleat.base.Trouble;
import java.util.Optional;

/** Allocations. */
public interface AllocationsApi {
    /**
     * Allocations in the order of their creation; the token of one is {@link
     * ListQuery#creationToken}. The filter looks at the {@link Allocation}.
     *
     * @param resources whether each stub has what it was given
     * @param taskStates whether each stub has its tasks' states; true unless asked otherwise
     */
    Answer<Rows<AllocationStub>> list(ListQuery query, boolean resources, boolean taskStates)
            throws Refused, Trouble, InterruptedException;

    /**
     * @param id 36 characters
     */
    Answer<Optional<Allocation>> get(ReadQuery query, String id)
            throws Refused, Trouble, InterruptedException;

    /**
     * Stops an allocation and has its job evaluated.
     *
     * @param query of namespace {@code *}, or of the allocation's: else it is not found
     * @param noShutdownDelay its tasks are stopped without their shutdown delay
     */
    Answer<AllocStopResponse> stop(WriteQuery query, String id, boolean noShutdownDelay)
            throws Refused, Trouble, InterruptedException;
}
