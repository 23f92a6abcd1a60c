package io.cleat.server.commit;

/**
 * One leadership, from its opening in the log to the next one's.
 *
 * @param id random
 * @param first the number that its first decision gets, if it makes one; 0 if an older program did not note it
 * @param next the number that its next entry must have to be applied; from 0
 */
public record Reign(String id, long first, long next) {}
