@NullMarked
package io.cleat.clusterapi.query;

import org.jspecify.annotations.NullMarked;
