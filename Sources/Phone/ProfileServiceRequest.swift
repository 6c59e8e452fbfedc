import PropertyLists

/// The request to the device in a configuration profile, by Apple's Profile Service.
///
/// Source of the keys: "Over-the-Air Profile Delivery and Configuration".
package struct ProfileServiceRequest: Equatable, Sendable {
    /// The URL to which the device posts its response.
    package let url: WebAddress
    /// Returned in the response.
    package let challenge: String?
    /// The names of the requested attributes, such as `UDID`.
    package let attributes: [String]

    /// The attributes that builds need; a serial number or an IMEI is not needed.
    private static let needed: Set<String> = ["UDID", "PRODUCT", "VERSION"]

    /// - Returns: nil when iOS refuses the profile; faults are added to `notes`.
    init?(_ content: [UInt8], noting notes: inout StepNotes) {
        let profile: PropertyList
        do throws(MalformedPropertyList) {
            profile = try PropertyList(reading: content, limits: .enrolment)
        } catch {
            notes.faults.append(
                Self.invalid(.enrolmentUnreadable, "the profile cannot be read: \(error)")
            )
            return nil
        }
        let type = profile["PayloadType"]?.string
        guard type == "Profile Service" else {
            notes.faults.append(
                Self.invalid(
                    .enrolmentKind,
                    "the profile's PayloadType is \(type ?? "missing"), not Profile Service",
                )
            )
            return nil
        }
        notes.faults += Self.missing(in: profile).map {
            Self.invalid(.enrolmentIncomplete, "the profile has no \($0)")
        }
        attributes = profile["PayloadContent"]?["DeviceAttributes"]?.strings ?? []
        challenge = profile["PayloadContent"]?["Challenge"]?.string
        guard !notes.hasFailed, let text = profile["PayloadContent"]?["URL"]?.string,
            let url = WebAddress(text)
        else {
            guard !notes.hasFailed else { return nil }
            notes.faults.append(
                Self.invalid(.enrolmentIncomplete, "the profile's URL is not a web address")
            )
            return nil
        }
        self.url = url
        notes.facts.append("asks for " + attributes.joined(separator: ", "))
        judge(noting: &notes)
        if notes.hasFailed { return nil }
    }

    private func judge(noting notes: inout StepNotes) {
        if !url.isSecure {
            notes.faults.append(
                Self.invalid(
                    .enrolmentPlain,
                    "the profile's URL is http://, so others on the network can read the answer",
                )
            )
        }
        let curious = attributes.filter { !Self.needed.contains($0) }
        if !curious.isEmpty {
            notes.faults.append(
                .warning(
                    .enrolmentCurious,
                    "the profile also asks for \(curious.joined(separator: ", "))",
                    fix: "Request only UDID, PRODUCT and VERSION; builds need nothing else.",
                )
            )
        }
    }

    private static func missing(in profile: PropertyList) -> [String] {
        let texts = ["PayloadIdentifier", "PayloadUUID"].filter { profile[$0]?.string == nil }
        let version = profile["PayloadVersion"]?.integer == 1 ? [] : ["PayloadVersion 1"]
        let content = profile["PayloadContent"]
        let url = content?["URL"]?.string == nil ? ["URL"] : []
        let asked = content?["DeviceAttributes"]?.strings?.isEmpty == false
        return texts + version + url + (asked ? [] : ["DeviceAttributes"])
    }

    private static func invalid(_ id: FaultID, _ message: String) -> Fault {
        .failure(
            id,
            message,
            shown: .settings("“Invalid Profile”"),
            fix: "Serve a profile with all keys of Apple's Profile Service and an https URL.",
        )
    }
}
