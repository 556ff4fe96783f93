"""Packs a fixture as an FMU: pack.py NAME VERSION LIBRARY.so OUT.fmu. With a folder in place of a library's
output, `pack.py hostile LIBRARY2.so LIBRARY3.so FOLDER` writes FMUs that have to be refused."""
import os
import platform
import stat
import sys
import zipfile

UNITS = '''  <UnitDefinitions>
    <Unit name="degC"><BaseUnit K="1" offset="273.15"/></Unit>
    <Unit name="1/s"><BaseUnit s="-1"/></Unit>
    <Unit name="m"><BaseUnit m="1"/></Unit>
    <Unit name="mystery"/>
  </UnitDefinitions>
'''
# name, type, causality, variability, unit or None; in the order of the fixture's values
ONE = [('x', 'Float64', 'output', 'continuous', None)]
VARIABLES = {
    'cup': [('T', 'Float64', 'output', 'continuous', 'degC'), ('ambient', 'Float64', 'input', 'continuous', 'degC'),
            ('rate', 'Float64', 'parameter', 'fixed', '1/s'), ('spare', 'Float64', 'output', 'continuous', 'mystery')],
    'bounce': [('height', 'Float64', 'output', 'continuous', 'm'), ('velocity', 'Float64', 'output', 'continuous', None),
               ('bounces', 'Int32', 'output', 'discrete', None), ('rising', 'Boolean', 'local', 'discrete', None),
               ('restitution', 'Float64', 'parameter', 'fixed', None)],
    'burst': ONE + [('at', 'Float64', 'input', 'continuous', None)],
    'crash': ONE, 'hang': ONE, 'liar': ONE, 'stillborn': ONE,
}
NAMES2 = {'Float64': 'Real', 'Int32': 'Integer', 'Boolean': 'Boolean'}


def variable(version, at, name, kind, causality, variability, unit):
    unit = f' unit="{unit}"' if unit else ''
    start = ' start="0"' if causality in ('input', 'parameter') else ''
    start = start.replace('0', 'false') if kind == 'Boolean' else start
    common = f'name="{name}" valueReference="{at}" causality="{causality}" variability="{variability}"'
    if version == 2:
        return f'    <ScalarVariable {common}><{NAMES2[kind]}{unit}{start}/></ScalarVariable>\n'
    return f'    <{kind} {common}{unit}{start}/>\n'


def description(name, version, token=None, kind='CoSimulation', head='', number=None, more=''):
    token = token or '{' + name + '}'
    token = f'guid="{token}"' if version == 2 else f'instantiationToken="{token}"'
    can = 'canGetAndSetFMUstate="true"' if version == 2 else \
        'canGetAndSetFMUState="true" hasEventMode="true" canReturnEarlyAfterIntermediateUpdate="true"'
    variables = ''.join(variable(version, i, *v) for i, v in enumerate(VARIABLES[name]))
    return f'''<?xml version="1.0" encoding="UTF-8"?>
{head}<fmiModelDescription fmiVersion="{number or f'{version}.0'}" modelName="{name}" {token}>
  <{kind} modelIdentifier="{name}" {can} canHandleVariableCommunicationStepSize="true"{more}/>
{UNITS}  <ModelVariables>
{variables}  </ModelVariables>
  <ModelStructure/>
</fmiModelDescription>
'''


def binary(name, version):
    return f'binaries/{"linux64" if version == 2 else platform.machine() + "-linux"}/{name}.so'


def pack(out, entries):
    """Entries are (name, bytes or text) or (ZipInfo, bytes); the same input gives the same bytes."""
    with zipfile.ZipFile(out, 'w', zipfile.ZIP_DEFLATED) as archive:
        for name, content in entries:
            info = name if isinstance(name, zipfile.ZipInfo) else zipfile.ZipInfo(name, (2000, 1, 1, 0, 0, 0))
            info.compress_type = zipfile.ZIP_DEFLATED
            info.external_attr = info.external_attr or (stat.S_IFREG | 0o644) << 16
            archive.writestr(info, content)


def good(name, version, library, **changed):
    return [('modelDescription.xml', description(name, version, **changed)), (binary(name, version), library),
            ('resources/readme.txt', 'nothing')]


def hostile(library2, library3, folder):
    os.makedirs(folder, exist_ok=True)
    cup = good('cup', 2, library2)
    link = zipfile.ZipInfo('resources/link', (2000, 1, 1, 0, 0, 0))
    link.external_attr = (stat.S_IFLNK | 0o777) << 16
    entity = '<!DOCTYPE x [<!ENTITY a "aaaaaaaaaa"><!ENTITY b "&a;&a;&a;&a;">]>\n'
    cases = {
        'outside': cup + [('resources/../../evil.txt', 'evil')],
        'outside_first': [('../evil.txt', 'evil')] + cup,
        'absolute': cup + [('/tmp/evil.txt', 'evil')],
        'backslash': cup + [('resources\\..\\evil.txt', 'evil')],
        'link': cup + [(link, '/etc/passwd')],
        'twice': cup + [('resources/a', '1'), ('resources/a/b', '2')],
        'bomb': cup + [('resources/zeros', bytes(3 << 20))],
        'many': cup + [(f'resources/{i}', '') for i in range(300)],
        'entity': good('cup', 2, library2, head=entity),
        'exchange': good('cup', 2, library2, kind='ModelExchange'),
        'old': good('cup', 2, library2, number='1.0'),
        'tool': good('cup', 2, library2, more=' needsExecutionTool="true"'),
        'platform': [cup[0], ('binaries/win64/cup.dll', 'MZ')],
        'undescribed': cup[1:],
        'token2': good('cup', 2, library2, token='{other}'),
        'token3': good('cup', 3, library3, token='{other}'),
        'no_library': [cup[0], (binary('cup', 2), 'this is no ELF file')],
        'other_version': [('modelDescription.xml', description('cup', 3)), (binary('cup', 3), library2)],
    }
    for name, entries in cases.items():
        pack(os.path.join(folder, name + '.fmu'), entries)
    whole = open(os.path.join(folder, 'exchange.fmu'), 'rb').read()
    with open(os.path.join(folder, 'torn.fmu'), 'wb') as out:
        out.write(whole[:len(whole) // 2])


if __name__ == '__main__':
    if sys.argv[1] == 'hostile':
        hostile(open(sys.argv[2], 'rb').read(), open(sys.argv[3], 'rb').read(), sys.argv[4])
        open(os.path.join(sys.argv[4], 'made'), 'w').close()
    else:
        name, version = sys.argv[1], int(sys.argv[2])
        pack(sys.argv[4], good(name, version, open(sys.argv[3], 'rb').read()))
