import Bundles
package import Identifiers
import Inspection
package import Releases

extension InstallPage {
    /// The audience of the page.
    package enum Audience: Sendable {
        /// Any visitor: a page in a static bundle, or one for visitors on a computer.
        case anyone
        /// A device that the server does not know; where it enrols.
        case unknownDevice(enrolURL: String)
        case device(TesterDevice)
    }

    /// The device that a page is rendered for, and its last install attempt.
    package struct TesterDevice: Sendable {
        package let device: Device
        /// The version of iOS that its browser reports: it may have been updated since it was enrolled,
        /// and newer versions report too low a number.
        package let seenOS: OSVersion?
        /// Its last recent attempt to install this release.
        package let lastTry: InstallAttempt?
        /// The bytes of the IPA that it has, while it is downloading it.
        package let fetched: Int?
        /// The device's progress towards the build; nil if unknown.
        package let steps: DeviceSteps?

        package init(
            _ device: Device,
            seenOS: OSVersion? = nil,
            lastTry: InstallAttempt? = nil,
            fetched: Int? = nil,
            steps: DeviceSteps? = nil,
        ) {
            self.device = device
            self.seenOS = seenOS
            self.lastTry = lastTry
            self.fetched = fetched
            self.steps = steps
        }

        /// The device's properties for a verdict, with the newest known system version.
        var facts: DeviceFacts {
            let facts = device.facts
            return DeviceFacts(
                udid: facts.udid,
                family: facts.family,
                os: [facts.os, seenOS].compactMap(\.self).max(),
                model: facts.model,
            )
        }
    }

    /// The device as the page names it.
    struct Named: Sendable {
        let name: String
        let model: String

        init(_ device: Device) {
            name = device.name
            model = device.modelName ?? device.family.title
        }
    }
}
