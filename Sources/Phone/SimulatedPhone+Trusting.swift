import Cryptography
import PropertyLists

extension SimulatedPhone {
    /// Installs and trusts a development authority as a tester does, from `/trust` on the plain port.
    ///
    /// - Parameter plainURL: the base URL of the plain server, such as `http://192.168.1.5:8080`.
    /// - Returns: the step; if it did not fail, the authority is in ``authorities``.
    package mutating func trustServer(_ plainURL: String) async -> Step {
        let base = plainURL.hasSuffix("/") ? String(plainURL.dropLast()) : plainURL
        var notes = StepNotes()
        guard let address = WebAddress(base + "/trust/authority.mobileconfig") else {
            notes.faults.append(Self.fault("the server's address is not a web address"))
            return Step(.authority, notes)
        }
        let answer: Answer
        do throws(NetworkFailure) {
            answer = try await Network(authorities: authorities, timeouts: timeouts).fetch(
                Network.Request(
                    address: address,
                    fields: [("User-Agent", pageAgent ?? UserAgent.safari(os))],
                ),
                limit: 1 << 20,
            )
        } catch {
            let screen = PhoneScreen.safariCannotConnect(host: address.host)
            notes.faults.append(Fault(error, reaching: address, shown: screen))
            return Step(.authority, about: address.authority, notes)
        }
        do throws(ReceivedAuthorityProfile.Unusable) {
            let profile = try ReceivedAuthorityProfile(answer)
            for root in profile.roots where !authorities.contains(root) {
                authorities.append(root)
            }
            notes.facts = profile.roots.map { "“\($0)” is now trusted" }
        } catch {
            notes.faults.append(Self.fault(error.description))
        }
        return Step(.authority, about: address.authority, notes)
    }

    private static func fault(_ message: String) -> Fault {
        .failure(
            .authorityProfile,
            message,
            shown: .safari("no offer to install a profile, or “Invalid Profile”"),
            fix: "Serve a configuration profile with a com.apple.security.root payload.",
        )
    }
}

/// A configuration profile with certification authorities.
struct ReceivedAuthorityProfile {
    /// Never empty.
    let roots: [Certificate]

    struct Unusable: Error, Equatable, CustomStringConvertible {
        let description: String

        init(_ description: String) {
            self.description = description
        }
    }

    init(_ answer: Answer) throws(Unusable) {
        guard answer.status == 200 else {
            throw Unusable("the profile answers with status \(answer.status)")
        }
        guard answer.type == "application/x-apple-aspen-config" else {
            throw Unusable(
                "the profile has the content type \(answer.type ?? "none"), not "
                    + "application/x-apple-aspen-config"
            )
        }
        try self.init(answer.body)
    }

    /// Reads a profile, bare or in a signed message; a phone only shows its signature.
    init(_ bytes: [UInt8]) throws(Unusable) {
        var content = bytes
        if bytes.first == 0x30 {
            guard let message = try? SignedMessage(reading: bytes), let signed = message.content
            else { throw Unusable("the profile's signed message cannot be read") }
            content = signed
        }
        let profile: PropertyList
        do throws(MalformedPropertyList) {
            profile = try PropertyList(reading: content, limits: .profile)
        } catch {
            throw Unusable("the profile cannot be read: \(error)")
        }
        guard profile["PayloadType"]?.string == "Configuration" else {
            throw Unusable("its PayloadType is not Configuration")
        }
        for key in ["PayloadIdentifier", "PayloadUUID"] where profile[key]?.string == nil {
            throw Unusable("it has no \(key)")
        }
        let payloads = profile["PayloadContent"]?.array ?? []
        let bodies = payloads.filter { $0["PayloadType"]?.string == "com.apple.security.root" }
            .compactMap { $0["PayloadContent"]?.data }
        var roots: [Certificate] = []
        for body in bodies {
            let text = String(decoding: body, as: UTF8.self)
            let certificate =
                (try? Certificate(der: body)) ?? (try? Certificate.chain(pem: text))?.first
            guard let certificate else { throw Unusable("a root in it is not a certificate") }
            guard certificate.isAuthority, certificate.isSigned(by: certificate) else {
                throw Unusable("“\(certificate)” in it is not a root, so it cannot be switched on")
            }
            roots.append(certificate)
        }
        guard !roots.isEmpty else { throw Unusable("it has no com.apple.security.root payload") }
        self.roots = roots
    }
}
