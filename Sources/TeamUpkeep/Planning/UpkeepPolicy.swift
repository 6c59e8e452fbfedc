package import Essentials

/// When the upkeep of developer accounts begins work.
package struct UpkeepPolicy: Sendable {
    /// Seconds to wait for further devices after one, so that they share a profile.
    package var gathering: TimeInterval = 60
    /// The longest time to wait for further devices, in seconds.
    package var longestGathering: TimeInterval = 300
    /// Seconds after which profiles no longer list a device that has left; profiles are renewed for that
    /// alone at most once in this time.
    ///
    /// No one waits for this, unlike for a device that is added, and devices that leave on the same day
    /// share one renewal.
    package var leaving: TimeInterval = 86_400
    /// Seconds after which a developer account is compared again.
    package var comparing: TimeInterval = 86_400
    /// Seconds for which a completed job is not repeated for the same need.
    package var pauseAfterDone: TimeInterval = 3600
    /// Seconds for which a failed or cancelled job is not repeated for the same need.
    package var pauseAfterFailure: TimeInterval = 86_400

    package init() {}
}
