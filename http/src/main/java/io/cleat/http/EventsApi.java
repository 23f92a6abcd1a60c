package io.cleat.http;

/** What happens in the cluster, as it happens. */
public interface EventsApi {
    /** A reader that begins where the query says; nothing that comes after this call escapes it. */
    EventReader open(EventQuery query);
}
