import ASN1Reading
import Bytes
import SwiftASN1

extension ElementReader {
    mutating func objectIdentifier(_ field: String) throws(MalformedBytes) -> OID {
        OID(encoded: try primitive(.objectIdentifier, field))
    }
}
