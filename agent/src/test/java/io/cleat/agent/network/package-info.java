@NullMarked
package io.cleat.agent.network;

import org.jspecify.annotations.NullMarked;
