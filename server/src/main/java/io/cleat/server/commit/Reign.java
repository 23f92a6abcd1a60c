package io.cleat.server.commit;

/**
 * One leadership, from its opening in the log to the next one's.
 *
 * @param id random
 * @param next the number that its next entry must have to be applied; from 0
 */
record Reign(String id, long next) {}
