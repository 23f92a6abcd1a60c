package io.cleat.http;

/**
 * What comes with a write beside its body.
 *
 * @param namespace {@code default} unless the request named one; the body's wins where it has one
 * @param requestId the caller's own id of this request (header {@code X-Cleat-Request-Id}), under which repeating it
 *     has no second effect; empty if it gave none
 */
public record WriteQuery(String namespace, String requestId) {
    /** The namespaces in which the write looks for what it changes. */
    public ShownNamespaces shown() {
        return new ShownNamespaces(namespace);
    }
}
