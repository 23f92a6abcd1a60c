package io.cleat.http;

import io.cleat.api.Answer;
import io.cleat.api.Rows;
import io.cleat.api.Variable;
import io.cleat.api.VariableMetadata;
import io.cleat.base.Refused;
import io.cleat.base.Trouble;
import java.util.Optional;
import java.util.OptionalLong;

/** Variables. */
public interface VariablesApi {
    /**
     * A write of a variable was done, or conflicts with what is there.
     *
     * @param variable as it is now; if it conflicts, what stands in the way
     * @param index the version of the cluster with it
     */
    record Written(Variable variable, boolean conflicts, long index) {}

    /** By namespace and path, which are their token; without their items. */
    Answer<Rows<VariableMetadata>> list(ListQuery query)
            throws Refused, Trouble, InterruptedException;

    Answer<Optional<Variable>> get(ReadQuery query, String path)
            throws Refused, Trouble, InterruptedException;

    /**
     * Makes a variable, or gives it other items.
     *
     * @param query its namespace is the variable's
     * @param cas the index it must have, 0 for none; empty for whatever it has
     */
    Written put(WriteQuery query, String path, Variable wanted, OptionalLong cas)
            throws Refused, Trouble, InterruptedException;

    /**
     * Forgets a variable; one that is not there is gone.
     *
     * @param cas as of {@link #put}
     */
    Written delete(WriteQuery query, String path, OptionalLong cas)
            throws Refused, Trouble, InterruptedException;

    /** Takes the lock of a variable, which is made if it is not there. */
    Written lock(WriteQuery query, String path, Variable wanted)
            throws Refused, Trouble, InterruptedException;

    /** Has the time of a lock that somebody holds begin anew. */
    Written renew(WriteQuery query, String path, Variable held)
            throws Refused, Trouble, InterruptedException;

    /** Gives a lock back. */
    Written release(WriteQuery query, String path, Variable held)
            throws Refused, Trouble, InterruptedException;
}
