import Bundles
package import Identifiers
import Inspection
package import Releases

extension InstallPage {
    /// For whom the page is made.
    package enum Audience: Sendable {
        /// Any visitor: a page in a static bundle, or one for visitors on a computer.
        case anyone
        /// A device that the server does not know; where it enrols.
        case unknownDevice(enrolURL: String)
        case device(TesterDevice)
    }

    /// The device that a page is made for, and what it did last.
    package struct TesterDevice: Sendable {
        package let device: Device
        /// The version of iOS that its browser reports: it may have been updated since it enrolled, and
        /// newer versions tell too low a number.
        package let seenOS: OSVersion?
        /// What it fetched of this release last, if that is not long ago.
        package let lastTry: InstallAttempt?
        /// Bytes of the IPA that it has, while it is fetching it.
        package let fetched: Int?
        /// How far the device is on its way to the build; nil where that is not known.
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

        /// What a verdict needs, as of what is known now.
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
