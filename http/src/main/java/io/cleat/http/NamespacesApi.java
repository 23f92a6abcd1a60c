package io.cleat.http;

import io.cleat.api.Answer;
import io.cleat.api.Namespace;
import io.cleat.api.Rows;
import io.cleat.base.Refused;
import io.cleat.base.Trouble;
import java.util.Optional;

/** Namespaces. */
public interface NamespacesApi {
    /** By name, which is their token. */
    Answer<Rows<Namespace>> list(ListQuery query) throws Refused, Trouble, InterruptedException;

    Answer<Optional<Namespace>> get(ReadQuery query, String name)
            throws Refused, Trouble, InterruptedException;

    /** Makes a namespace, or says something else of one. */
    void apply(WriteQuery query, Namespace wanted) throws Refused, Trouble, InterruptedException;

    /** Forgets a namespace that nothing is in. */
    void delete(WriteQuery query, String name) throws Refused, Trouble, InterruptedException;
}
