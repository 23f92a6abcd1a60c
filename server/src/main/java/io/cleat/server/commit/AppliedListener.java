package io.cleat.server.commit;

/** Hears of new images, on the applying thread; must be quick. */
public interface AppliedListener<S> {
    /** An entry was applied that changed something, one version or several at once. */
    void applied(Applied<S> before, Applied<S> after);

    /** A snapshot replaced the image: what lies between is not told. */
    void installed(Applied<S> after);
}
