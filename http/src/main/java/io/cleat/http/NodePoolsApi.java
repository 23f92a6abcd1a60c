package io.cleat.http;

import io.cleat.api.Answer;
import io.cleat.api.JobStub;
import io.cleat.api.NodePool;
import io.cleat.api.NodeStub;
import io.cleat.api.Rows;
import io.cleat.base.Refused;
import io.cleat.base.Trouble;
import java.util.Optional;

/** Node pools. They are what nodes were started in: nobody makes or removes one. */
public interface NodePoolsApi {
    /** By name, which is their token. */
    Answer<Rows<NodePool>> list(ListQuery query) throws Refused, Trouble, InterruptedException;

    Answer<Optional<NodePool>> get(ReadQuery query, String name)
            throws Refused, Trouble, InterruptedException;

    /** The nodes in one, by id; empty if there is no such pool. */
    Answer<Rows<NodeStub>> nodes(ListQuery query, String name)
            throws Refused, Trouble, InterruptedException;

    /** The jobs that name it, by namespace and id. */
    Answer<Rows<JobStub>> jobs(ListQuery query, String name)
            throws Refused, Trouble, InterruptedException;
}
