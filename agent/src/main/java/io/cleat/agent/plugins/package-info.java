/**
 * The storage plugins of one node: tasks that are plugins are supervised, and their instances registered.
 *
 * <p>Receives: tasks with a {@code csi_plugin} block. Hands on: channels to healthy instances, and what each instance
 * says of itself. Runs on: one thread per plugin task. If it fails: the plugin is unhealthy with its reason, and is
 * probed on; its task is ended only if it never became healthy in time.
 */
@NullMarked
package io.cleat.agent.plugins;

import org.jspecify.annotations.NullMarked;
