package io.cleat.api;

/**
 * Which tasks are to be restarted.
 *
 * @param AllTasks all of them, from the first, also those that have ended; else the one named, or those that run
 * @param TaskName empty for all that run
 */
public record AllocRestartRequest(boolean AllTasks, String TaskName) {}
