package io.cleat.http;

import io.cleat.api.Answer;
import io.cleat.api.AnswerMeta;
import io.cleat.api.NamespaceServices;
import io.cleat.api.Rows;
import io.cleat.api.ServiceRegistration;
import io.cleat.base.Refused;
import io.cleat.base.Trouble;
import java.util.Optional;

/** What allocations serve, and where others find it. */
public interface ServicesApi {
    /** The names of services, by namespace; a page counts names. */
    Answer<Rows<NamespaceServices>> list(ListQuery query)
            throws Refused, Trouble, InterruptedException;

    /**
     * So many of the places of a service, the same for the same key as long as these are there.
     *
     * @param count more than 0
     */
    record Choice(int count, String key) {}

    /**
     * Where a service is found.
     *
     * @param choice empty for all
     */
    Answer<Rows<ServiceRegistration>> get(ListQuery query, String name, Optional<Choice> choice)
            throws Refused, Trouble, InterruptedException;

    /** Takes one place out, until its allocation runs by another text of its job. */
    AnswerMeta delete(WriteQuery query, String name, String id)
            throws Refused, Trouble, InterruptedException;

    /** Those of a job's allocations; empty if there is no such job. */
    Answer<Optional<Rows<ServiceRegistration>>> ofJob(ReadQuery query, String jobId)
            throws Refused, Trouble, InterruptedException;

    /** Those of one allocation; empty if there is none of that id. */
    Answer<Optional<Rows<ServiceRegistration>>> ofAllocation(ReadQuery query, String allocId)
            throws Refused, Trouble, InterruptedException;
}
