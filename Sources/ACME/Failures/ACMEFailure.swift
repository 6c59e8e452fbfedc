import Bytes
package import Cryptography
package import Essentials
package import HTTPServing
package import Problems
import Releases

/// Why there is no certificate, or no new one.
///
/// The authority's messages are kept as printable text; no case contains a key or a signed request.
package enum ACMEFailure: ReportableError, Equatable {
    case unreachable(host: String, reason: String)
    case untrusted(host: String, reason: String)
    case tooSlow(host: String, seconds: Int)
    case answerTooLarge(host: String, limit: Int)
    /// The server stopped in the meantime.
    case interrupted
    /// A response that violates RFC 8555.
    case unreadable(host: String, reason: String)
    /// A URL that is neither `https` nor of the directory's origin.
    case foreignAddress(String)
    /// The authority is overloaded or has failed.
    case unavailable(host: String, status: Int, until: Date?)
    /// The authority requires an account that was created on its website.
    case accountBinding(host: String)
    /// The host of the base URL is not one that a certificate can be issued for.
    case unusableHost(String)
    /// This server supports none of the challenges that the authority offers.
    case noChallenge(name: String, offered: [String])
    /// The authority could not connect to the server's port.
    case notReached(name: String, ACMEChallengeKind, said: String)
    /// Another server responded to the authority.
    case answeredElsewhere(name: String, ACMEChallengeKind, said: String)
    /// DNS has no address for the name.
    case noAddress(name: String, said: String)
    /// A CAA record in DNS allows only other authorities.
    case otherAuthorities(name: String, said: String)
    /// The authority does not issue certificates for the name.
    case nameRefused(said: String)
    case rateLimited(until: Date?, said: String)
    case refused(word: String, said: String)
    /// The authority has not finished processing in time.
    case unfinished(what: String, seconds: Int)
    /// The issued certificate cannot be used.
    case badCertificate(CertificateProblem)
    case key(MalformedKey)

    package var description: String {
        switch self {
        case .unreachable(let host, let reason): "\(host) cannot be reached: \(reason)"
        case .untrusted(let host, let reason): "\(host) cannot be trusted: \(reason)"
        case .tooSlow(let host, let seconds): "\(host) did not answer within \(seconds) seconds"
        case .answerTooLarge(let host, let limit):
            "the answer of \(host) is larger than \(limit.grouped) bytes"
        case .interrupted: "the order was interrupted"
        case .unreadable(let host, let reason): "the answer of \(host) cannot be used: \(reason)"
        case .foreignAddress(let address):
            "the authority names the address \(quoted: address), which is not an https address"
        case .unavailable(let host, let status, let until):
            "\(host) answered with the status \(status)"
                + (until.map { " and asks to wait until \(Wording.moment($0))" } ?? "")
        case .accountBinding(let host):
            "\(host) accepts only accounts that were created on its website (external account "
                + "binding)"
        case .unusableHost(let host):
            "\(host) cannot get a certificate: it is not a public host name"
        case .noChallenge(let name, let offered):
            "control of \(name) cannot be proven: the authority offers only \(offered.joined(separator: ", "))"
        case .notReached(let name, let challenge, let said):
            "port \(challenge.port) of \(name) cannot be reached from the internet"
                + Self.words(said)
        case .answeredElsewhere(let name, let challenge, let said):
            // An authority may report a closed port in the same way.
            "the authority did not find this server at \(name) on port \(challenge.port): DNS points "
                + "elsewhere, a proxy answers instead, or the port is closed" + Self.words(said)
        case .noAddress(let name, let said): "DNS has no address for \(name)" + Self.words(said)
        case .otherAuthorities(let name, let said):
            "a CAA record in DNS does not allow this authority for \(name)" + Self.words(said)
        case .nameRefused(let said):
            "the authority does not issue certificates for one of the names" + Self.words(said)
        case .rateLimited(let until, let said):
            "the authority’s rate limit is reached"
                + (until.map { " until \(Wording.moment($0))" } ?? "") + Self.words(said)
        case .refused(let word, let said):
            "the authority refused the request" + (word.isEmpty ? "" : " (\(word))")
                + Self.words(said)
        case .unfinished(let what, let seconds):
            "the authority did not finish \(what) within \(seconds) seconds"
        case .badCertificate(let problem): "the new certificate cannot be used: \(problem)"
        case .key(let malformed): "the account key cannot be used: \(malformed)"
        }
    }

    /// The authority's message, in brackets.
    private static func words(_ said: String) -> String {
        said.isEmpty ? "" : " (the authority says: \(said))"
    }

    /// Untrusted text on one line, at most 300 characters.
    static func plain(_ text: String?) -> String {
        PrintableText(escaping: text ?? "", limit: 300).text
    }
}

extension ACMEFailure {
    package var id: String {
        switch self {
        case .unreachable: "acme.unreachable"
        case .untrusted: "acme.untrusted"
        case .tooSlow: "acme.too-slow"
        case .answerTooLarge: "acme.answer-too-large"
        case .interrupted: "acme.interrupted"
        case .unreadable: "acme.unreadable"
        case .foreignAddress: "acme.foreign-address"
        case .unavailable: "acme.unavailable"
        case .accountBinding: "acme.account-binding"
        case .unusableHost: "acme.unusable-host"
        case .noChallenge: "acme.no-challenge"
        case .notReached: "acme.port-unreachable"
        case .answeredElsewhere: "acme.answered-elsewhere"
        case .noAddress: "acme.no-address"
        case .otherAuthorities: "acme.caa"
        case .nameRefused: "acme.name-refused"
        case .rateLimited: "acme.rate-limited"
        case .refused: "acme.refused"
        case .unfinished: "acme.unfinished"
        case .badCertificate: "acme.bad-certificate"
        case .key: "acme.account-key"
        }
    }

    package var kind: Problem.Kind {
        switch self {
        case .unusableHost: .invalid
        case .refused, .nameRefused, .otherAuthorities, .accountBinding: .refused
        case .key: .failed
        default: .unavailable
        }
    }

    package var fix: String {
        switch self {
        case .unreachable, .tooSlow:
            "check DNS and the firewall: the server must reach the authority on port 443"
        case .untrusted:
            "check this machine's clock; give an authority of your own with --acme-ca-file"
        case .answerTooLarge, .unreadable, .foreignAddress:
            "check that --acme-directory is the address of an ACME directory"
        case .interrupted, .unavailable, .unfinished: "wait; the server tries again automatically"
        case .accountBinding:
            "use another authority, or another ACME client with --certificate and --private-key"
        case .unusableHost:
            "give a --base-url with a public host name, such as https://ota.example.com"
        case .noChallenge:
            "let the server listen on the plain port too (without --no-plain), or use another "
                + "authority"
        case .notReached(_, let challenge, _):
            "let the internet reach port \(challenge.port), and map it to \(challenge.option) of "
                + "this server"
        case .answeredElsewhere(let name, let challenge, _):
            "point the A and AAAA records of \(name) only to this server, and map port "
                + "\(challenge.port) to \(challenge.option)"
        case .noAddress(let name, _):
            "create an A or AAAA record that points \(name) to this server"
        case .otherAuthorities: "add the authority to the CAA records of the domain"
        case .nameRefused: "check the host of --base-url and the names of --allow-host"
        case .rateLimited: "wait; the server tries again as soon as the authority allows it"
        case .refused: "check the address of --acme and the authority of --acme-directory"
        case .badCertificate(let problem):
            if case .incomplete = problem {
                "give the root of a private authority with --acme-ca-file"
            } else {
                problem.fix
            }
        case .key(let malformed): malformed.fix
        }
    }

    package var pageFix: String? { fix }
}
